function chop(n) { return n < 2 ? n : chop(n - 1) + chop(n - 2); }
const even = n => n === 0 ? true : odd(n - 1), odd = n => n === 0 ? false : even(n - 1);
class Pot { stir() { let s = 0; for (let i = 0; i < 400000; i++) s += i % 7; return s; } }
class Pan {
  stir() {
    let s = 0;
    for (let i = 0; i < 300000; i++) s += i % 5;
    return s;
  }
}
let t = 0;
for (let k = 0; k < 80; k++) {
  t += chop(22); even(40); t += new Pot().stir() + new Pan().stir();
  [1, 2, 3].forEach(x => { for (let i = 0; i < 100000; i++) t += i ^ x; });
}
console.log(t);
