"""Direct and mutual recursion, generators, and functions of one name, for profiles of cProfile and profile.

recursion.py cProfile|profile FILE
"""
import sys


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def walk(tree):
    yield tree[0]
    for child in tree[1:]:
        for value in walk(child):
            yield value


def plant(depth):
    return [depth] + [plant(depth - 1) for _ in range(2 if depth else 0)]


def visit(tree):
    return sum(visit_child(child) for child in tree[1:]) + fib(tree[0] % 5)


def visit_child(tree):
    return visit(tree) + len(sorted(walk(tree), key=lambda value: -value))


def main():
    tree = plant(6)
    square = lambda n: n * n
    return [fib(12), is_even(61), is_odd(40), sum(walk(tree)), visit(tree), square(3)]


if __name__ == "__main__":
    profile = __import__(sys.argv[1]).Profile()
    profile.run("main()")
    profile.dump_stats(sys.argv[2])
