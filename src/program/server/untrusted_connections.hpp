/// Connections over which no request with the token has come yet: only a few at a time, so that other users
/// of the machine cannot take all that there are.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace callcost::program {

/// Thread-safe.
class UntrustedConnections {
  public:
    static constexpr std::size_t most = 4;

    /// A connection while it is served; to be gone before its socket is closed.
    class Place {
      public:
        /// Ends another one if there are too many: the oldest that has sent nothing new.
        Place(UntrustedConnections& all, int socket) : all_(all), socket_(socket) { all_.add(socket_); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() { trust(); }

        /// It has shown the token, and counts no more.
        void trust() { all_.remove(socket_); }

      private:
        UntrustedConnections& all_;
        int socket_;
    };

  private:
    void add(int socket);
    void remove(int socket);

    std::mutex mutex_;
    std::vector<int> sockets_;  // oldest first
};

}  // namespace callcost::program
