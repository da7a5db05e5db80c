import { expect, test } from 'vitest';
import { instructionPieces } from '../../../src/model/assembly';
import { heatOfBins, hotRows, nextOf } from '../../../src/model/heat';
import { jumpLanes } from '../../../src/model/jump_lanes';
import { mostColumns, sourceText } from '../../../src/model/source_text';
import { cutOff, languageOf, piecesOfLine } from '../../../src/model/syntax';
import { timeline, withOrWithout } from '../../../src/model/timeline';
import { unfolding } from '../../../src/model/unfolding';

test('rows and what is unfolded below them are found both ways', () => {
  const below = [0, 2, 0, 3, 0, 1];
  const rows = unfolding(6, [5, 1, 3, 2, 99], row => below[row]!);
  expect(rows.count).toBe(12);
  const seen = Array.from({ length: rows.count }, (_, index) => rows.at(index));
  expect(seen.map(({ row, sub }) => `${row}.${sub}`).join(' ')).toBe('0.0 1.0 1.1 1.2 2.0 3.0 3.1 3.2 3.3 4.0 5.0 5.1');
  seen.forEach(({ row, sub }, index) => {
    expect(rows.indexOf(row, sub)).toBe(index);
  });
  expect(unfolding(3, [], () => 7).at(2)).toEqual({ row: 2, sub: 0 });
  expect(rows.isOpen(1) && !rows.isOpen(2)).toBe(true);
});

test('a text is taken apart into lines, whatever its line breaks are', () => {
  const text = sourceText('one\r\n\ttwo\n\nfour');
  expect(text.count).toBe(4);
  expect([1, 2, 3, 4, 5].map(number => text.line(number))).toEqual(['one', '\ttwo', '', 'four', '']);
  expect(text.begin(4)).toBe(11);
  expect(text.widest).toBe(11);
  expect(sourceText('a\n').count).toBe(1);
  expect(sourceText('').count).toBe(0);
});

test('only the begin of a very long line is shown', () => {
  const text = sourceText(`x\n${'y'.repeat(1_000_000)}\n`);
  expect(text.widest).toBe(mostColumns);
  expect(piecesOfLine(text.line(2), text.begin(2), null)[0]?.text.length).toBe(mostColumns);
  expect(cutOff(text.line(2))).toBe(1_000_000 - mostColumns);
});

test('the pieces of a line are those of the tokens in it, cut at its ends', () => {
  const tokens = Uint32Array.from([2, 5 * 16 + 1, 6, 20 * 16 + 6]); // "cde" a keyword, from 6 a comment over several lines
  const pieces = (line: string, begin: number) =>
    piecesOfLine(line, begin, tokens).map(({ text, kind }) => `${kind}:${text}`);
  expect(pieces('abcdefgh', 0)).toEqual(['plain:ab', 'keyword:cde', 'plain:f', 'comment:gh']);
  expect(pieces('ijkl', 9)).toEqual(['comment:ijkl']);
  expect(pieces('mnop', 18)).toEqual(['comment:mn', 'plain:op']);
  expect(pieces('', 30)).toEqual([]);
});

test('the language is known by the name of the file', () => {
  expect(languageOf('/usr/include/c++/12/bits/stl_algo.h')).toBe('cpp');
  expect(languageOf('/usr/include/c++/12/vector')).toBe('cpp');
  expect(languageOf('x/Makefile')).toBeNull();
  expect(languageOf('a.constructor')).toBeNull();
  expect(languageOf('???')).toBeNull();
});

test('short arrows run inside long ones, and those to one place together', () => {
  const lanes = jumpLanes([
    { from: 10, to: 2, conditional: true },
    { from: 3, to: 5, conditional: true },
    { from: 8, to: 2, conditional: true },
    { from: 6, to: 9, conditional: false },
    { from: 6, to: 9, conditional: false },
  ]);
  expect(lanes.bundles.map(({ from, to, lane }) => [from, to, lane])).toEqual([
    [[3], 5, 0],
    [[6], 9, 0],
    [[8, 10], 2, 1],
  ]);
  expect(lanes.lanes).toBe(2);
  expect(lanes.at(4).map(({ to }) => to)).toEqual([5, 2]);
  expect(lanes.at(10).map(({ to }) => to)).toEqual([2]);
  expect(lanes.at(11)).toEqual([]);
});

test('arrows for which there is no room show their ends only', () => {
  const arrows = Array.from({ length: 30 }, (_, i) => ({ from: i, to: 1000 - i, conditional: false }));
  const lanes = jumpLanes(arrows, 8);
  expect(lanes.lanes).toBe(8);
  const without = lanes.bundles.filter(({ lane }) => lane < 0);
  expect(without.length).toBe(22);
  expect(lanes.at(500).length).toBe(8);
  expect(lanes.at(without[0]!.to)).toContain(without[0]);
});

test('arrows of one lane never overlap', () => {
  let seed = 1;
  const random = (most: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % most;
  };
  const arrows = Array.from({ length: 2000 }, () => ({
    from: random(3000),
    to: random(3000),
    conditional: random(2) === 0,
  }));
  const { bundles } = jumpLanes(arrows);
  for (let lane = 0; lane < 8; lane++) {
    const own = bundles.filter(bundle => bundle.lane === lane).sort((a, b) => a.first - b.first);
    own.forEach((bundle, at) => {
      if (at > 0) expect(bundle.first).toBeGreaterThan(own[at - 1]!.last);
    });
  }
});

test('an instruction has a mnemonic and operands, in either syntax', () => {
  const spelled = (text: string) => {
    const { mnemonic, operands } = instructionPieces(text);
    return [mnemonic, ...operands.map(({ text, kind }) => (kind === 'plain' ? text : `[${kind} ${text}]`))].join('|');
  };
  expect(spelled('mov    0x10(%rsp),%rbp')).toBe('mov|[number 0x10]|(|[type %rsp]|),|[type %rbp]');
  expect(spelled('lea rax,[rip+0x2ec1]        # 4010 <x>')).toBe(
    'lea|[type rax]|,[|[type rip]|+|[number 0x2ec1]|]        |[comment # 4010 <x>]',
  );
  expect(spelled('call   401030 <std::vector<int>::f()@plt>')).toBe(
    'call|[number 401030]| |[function <std::vector<int>::f()@plt>]',
  );
  expect(spelled('rep stos %al,%es:(%rdi)')).toContain('rep stos|[type %al]');
  expect(spelled('')).toBe('');
});

test('heat is the heaviest line of each piece', () => {
  const heat = heatOfBins(
    [
      { at: 0, cost: 5 },
      { at: 1, cost: 10 },
      { at: 99, cost: 2 },
    ],
    100,
    10,
  );
  expect([...heat].map(value => Math.round(value * 10))).toEqual([10, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect([...heatOfBins([], 10, 2)]).toEqual([0, 0]);
});

test('hot rows are most of the cost, and one goes around them', () => {
  const weights = [100, 1, 50, 0, 3, 900].map((cost, at) => ({ at, cost }));
  expect(hotRows(weights, 1054)).toEqual([0, 2, 5]);
  expect(nextOf([0, 2, 5], 2, 1)).toBe(5);
  expect(nextOf([0, 2, 5], 5, 1)).toBe(0);
  expect(nextOf([0, 2, 5], 0, -1)).toBe(5);
  expect(nextOf([], 0, 1)).toBeNull();
});

test('parts stand where they were measured, threads in lanes', () => {
  const line = timeline([
    { index: 0, part: 1, thread: 1, pid: 7, timerange: 'Basic block 0 - 100' },
    { index: 1, part: 2, thread: 1, pid: 7, timerange: 'Basic block 100 - 400' },
    { index: 2, part: 2, thread: 2, pid: 7, timerange: 'Basic block 100 - 400' },
  ]);
  expect(line.measured).toBe(true);
  expect(line.lanes.map(({ thread, bars }) => [thread, bars])).toEqual([
    [
      '1',
      [
        { index: 0, begin: 0, end: 0.25 },
        { index: 1, begin: 0.25, end: 1 },
      ],
    ],
    ['2', [{ index: 2, begin: 0.25, end: 1 }]],
  ]);
});

test('parts without times stand in the order of their numbers, or of the files', () => {
  const numbered = timeline([
    { index: 0, part: 2, thread: 1 },
    { index: 1, part: 10, thread: 1 },
    { index: 2, part: 2, thread: 2 },
  ]);
  expect(numbered.measured).toBe(false);
  expect(numbered.lanes.map(({ bars }) => bars.map(({ begin }) => begin))).toEqual([[0, 0.5], [0]]);
  expect(timeline([{ index: 0 }, { index: 1 }]).lanes[0]?.bars.map(({ begin }) => begin)).toEqual([0, 0.5]);
  expect(timeline([]).lanes).toEqual([]);
});

test('parts are taken out and put back; all of them are the same as none, and one stays', () => {
  const all = [0, 1, 2];
  expect(withOrWithout([], 1, all)).toEqual([0, 2]);
  expect(withOrWithout([0, 2], 1, all)).toEqual([]);
  expect(withOrWithout([2], 0, all)).toEqual([0, 2]);
  expect(withOrWithout([2], 2, all)).toEqual([2]);
});
