/// Stands in front of libc++'s header of this name.
#pragma once

#include <__algorithm/comp.h>
#include <__algorithm/inplace_merge.h>
#include <__algorithm/partial_sort.h>
#include <__iterator/iterator_traits.h>

#include "sort_rows.hpp"

#define stable_sort libcxx_stable_sort
#include_next <__algorithm/stable_sort.h>
#undef stable_sort

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {

template <class Iterator, class Compare>
void stable_sort(Iterator first, Iterator last, Compare compare) {
    callcost::engine::sort(first, last, compare);
}
template <class Iterator>
void stable_sort(Iterator first, Iterator last) {
    __less<typename iterator_traits<Iterator>::value_type> compare;
    callcost::engine::sort(first, last, compare);
}

}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std
