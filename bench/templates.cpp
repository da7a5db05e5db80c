// Work for a compiler: compiled, never run. `run.py` records a profile of g++'s cc1plus on this file, which
// uses templates of many kinds so that most of the compiler takes part: class and function templates,
// specialisation, overload resolution, concepts, constant evaluation, lambdas, standard containers and
// algorithms.

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

// Compile-time recursion.
template <unsigned N>
struct Fibonacci : std::integral_constant<unsigned long, Fibonacci<N - 1>::value + Fibonacci<N - 2>::value> {
};
template <>
struct Fibonacci<1> : std::integral_constant<unsigned long, 1> {};
template <>
struct Fibonacci<0> : std::integral_constant<unsigned long, 0> {};

constexpr std::array<unsigned, 100> primes() {
    std::array<unsigned, 100> found{};
    std::size_t count = 0;
    for (unsigned n = 2; count < found.size(); ++n) {
        const auto divides = [n](unsigned prime) { return prime != 0 && n % prime == 0; };
        if (std::none_of(found.begin(), found.begin() + count, divides)) found[count++] = n;
    }
    return found;
}
static_assert(primes().back() == 541);

// Expression templates.
template <typename Left, typename Right, typename Operation>
struct Expression {
    Left left;
    Right right;
    auto operator[](std::size_t i) const { return Operation{}(left[i], right[i]); }
    std::size_t size() const { return left.size(); }
};
template <typename T>
concept Indexed = requires(const T& t) {
    { t.size() } -> std::convertible_to<std::size_t>;
    t[0];
};
template <Indexed Left, Indexed Right>
auto operator+(Left left, Right right) {
    return Expression<Left, Right, std::plus<>>{std::move(left), std::move(right)};
}
template <Indexed Left, Indexed Right>
auto operator*(Left left, Right right) {
    return Expression<Left, Right, std::multiplies<>>{std::move(left), std::move(right)};
}
template <Indexed T>
auto sum(const T& values) {
    std::remove_cvref_t<decltype(values[0])> total{};
    for (std::size_t i = 0; i < values.size(); ++i) total += values[i];
    return total;
}

// A matrix of a size known to the compiler: every size is a type.
template <typename T, std::size_t Rows, std::size_t Columns>
class Matrix {
  public:
    T& at(std::size_t row, std::size_t column) { return cells_[row * Columns + column]; }
    const T& at(std::size_t row, std::size_t column) const { return cells_[row * Columns + column]; }

    template <std::size_t Other>
    Matrix<T, Rows, Other> times(const Matrix<T, Columns, Other>& other) const {
        Matrix<T, Rows, Other> result;
        for (std::size_t i = 0; i < Rows; ++i) {
            for (std::size_t j = 0; j < Other; ++j) {
                for (std::size_t k = 0; k < Columns; ++k) result.at(i, j) += at(i, k) * other.at(k, j);
            }
        }
        return result;
    }

  private:
    std::array<T, Rows * Columns> cells_{};
};
template <typename T, std::size_t... Sizes>
T all_products(std::index_sequence<Sizes...>) {
    return (Matrix<T, Sizes + 1, 3>{}.template times<Sizes + 2>({}).at(0, 0) + ...);
}

// Containers and algorithms for several kinds of values.
template <typename Key, typename Value>
std::size_t fill(std::size_t count) {
    std::map<Key, std::vector<Value>> sorted;
    std::unordered_map<std::string, std::pair<Key, std::optional<Value>>> hashed;
    for (std::size_t i = 0; i < count; ++i) {
        sorted[static_cast<Key>(i % 17)].push_back(static_cast<Value>(i));
        hashed.emplace(std::to_string(i),
                       std::pair(static_cast<Key>(i), std::optional(static_cast<Value>(i))));
    }
    std::vector<std::tuple<Key, Value, std::string>> rows;
    for (auto& [key, values] : sorted) {
        std::sort(values.begin(), values.end(), std::greater<>());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        for (const Value& value : values) rows.emplace_back(key, value, std::to_string(value));
    }
    std::stable_sort(rows.begin(), rows.end());
    const auto longer = [](const auto& a, const auto& b) {
        return std::get<2>(a).size() < std::get<2>(b).size();
    };
    const auto longest = std::max_element(rows.begin(), rows.end(), longer);
    return hashed.size() + std::get<2>(*longest).size();
}

// Visitors.
template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;
using Value =
    std::variant<std::monostate, int, double, std::string, std::vector<int>, std::shared_ptr<std::string>>;

std::string print(const Value& value) {
    return std::visit(Overloaded{[](std::monostate) { return std::string("nothing"); },
                                 [](const std::string& text) { return '"' + text + '"'; },
                                 [](const std::vector<int>& list) {
                                     return std::accumulate(
                                         list.begin(), list.end(), std::string(), [](auto text, int i) {
                                             return std::move(text) + std::to_string(i) + ",";
                                         });
                                 },
                                 [](const std::shared_ptr<std::string>& text) { return text ? *text : ""; },
                                 [](auto number) { return std::to_string(number); }},
                      value);
}

template <std::size_t... I>
std::array<std::function<std::string(int)>, sizeof...(I)> callbacks(std::index_sequence<I...>) {
    return {
        [tag = std::string(I + 1, 'x')](int n) { return tag + std::to_string(n + static_cast<int>(I)); }...};
}

}  // namespace

int main() {
    std::size_t checksum = Fibonacci<60>::value % 1000 + primes()[42];
    checksum += fill<int, double>(100);
    const std::vector<double> a(10, 1.5), b(10, 2.0);
    checksum += static_cast<std::size_t>(sum(a * b + a * a + b * (a + b)));
    checksum += static_cast<std::size_t>(all_products<double>(std::make_index_sequence<3>()));
    for (const Value& value : {Value(), Value(3), Value(2.5), Value("text"), Value(std::vector{1, 2, 3})}) {
        checksum += print(value).size();
    }
    for (const auto& callback : callbacks(std::make_index_sequence<4>())) checksum += callback(7).size();
    return static_cast<int>(checksum % 256);
}
