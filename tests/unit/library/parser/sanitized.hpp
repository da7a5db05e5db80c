/// Sanitizers take twenty times as long: tests that try many alike inputs try fewer under them.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CALLCOST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CALLCOST_SANITIZED 1
#endif
#endif
#ifndef CALLCOST_SANITIZED
#define CALLCOST_SANITIZED 0
#endif

namespace callcost::test {

inline constexpr bool is_sanitized = CALLCOST_SANITIZED == 1;

}  // namespace callcost::test
