// Closures, iterators and trait objects. tests/inlining.py says which function each line is in.
use std::collections::HashMap;

fn mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 29)
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

trait Shape {
    fn area(&self) -> f64;
}

struct Square(f64);
struct Circle(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.14159 * self.0 * self.0
    }
}

fn apply<F: Fn(u64) -> u64>(values: &mut [u64], f: F) {
    for value in values.iter_mut() {
        *value = f(*value);
    }
}

fn compose(a: impl Fn(u64) -> u64, b: impl Fn(u64) -> u64) -> impl Fn(u64) -> u64 {
    move |x| b(a(x))
}

fn weight(word: &str) -> u64 {
    let mut sum = 0;
    for byte in word.bytes() {
        sum = sum * 31 + byte as u64;
    }
    sum
}

fn count_words(text: &str) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for word in text.split(' ') {
        *counts.entry(weight(word) % 97).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let mut rng = Rng(42);
    let mut values: Vec<u64> = (0..5000).map(|_| rng.below(1000)).collect();
    let offset = values.len() as u64;
    let step = compose(
        move |x| x + offset,
        |x| {
            let mut y = x;
            while y > 9 {
                y = y / 10 + y % 10;
            }
            y
        },
    );
    apply(&mut values, &step);
    apply(&mut values, |x| mix(x) & 0xff);
    let odd: u64 = values.iter().filter(|&&x| x % 2 == 1).map(|&x| mix(x) >> 40).sum();
    let shapes: Vec<Box<dyn Shape>> = values
        .iter()
        .map(|&x| -> Box<dyn Shape> {
            if x % 3 == 0 {
                Box::new(Square(x as f64))
            } else {
                Box::new(Circle(x as f64))
            }
        })
        .collect();
    let total: f64 = shapes.iter().map(|shape| shape.area()).sum();
    let words: Vec<String> = values.iter().map(|x| format!("word{}", x)).collect();
    let counts = count_words(&words.join(" "));
    println!("{} {} {}", odd, total, counts.len());
}
