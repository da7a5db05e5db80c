import { describe, expect, it } from 'vitest';
import { SvgSurface, xmlText } from '../../../src/model/drawing_surface';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '</text></svg><script>alert(1)</script>',
  '" onload="alert(1)',
  "' & ]]> <!-- -->",
  'a\u0000b\u001bc\ufffed\ud800e',
];

describe('SVG files', () => {
  it('hold names as text', () => {
    for (const name of hostile) {
      const surface = new SvgSurface(`"Segoe UI", ${name}`, text => text.length);
      surface.begin(() => name);
      surface.rect(0, 0, 1, 1, name);
      surface.hatch(0, 0, 1, 1, name);
      surface.outline(0, 0, 1, 1, name, 1);
      surface.text(name, 1, 1, { size: 12, color: name });
      surface.end();
      const file = surface.document(10, 10, name);
      const tags = file.match(/<[^>]*>/g) ?? [];
      for (const tag of tags) expect(tag).toMatch(/^<\/?[a-zA-Z]+( [a-zA-Z:-]+="[^"<>]*")*\/?>$/);
      const elements = tags.map(tag => /[a-z]+/.exec(tag)?.[0]);
      expect(new Set(elements)).toEqual(new Set(['svg', 'defs', 'pattern', 'path', 'rect', 'g', 'title', 'text']));
      const attributes = [...file.matchAll(/ ([a-zA-Z:-]+)="[^"]*"/g)].map(([, name]) => name);
      expect(attributes.filter(name => /^on|href/.test(name ?? ''))).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(file).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe]/);
    }
  });
  it('escape what XML needs escaped, and replace what it cannot hold', () => {
    expect(xmlText('a<b>&"\'')).toBe('a&lt;b&gt;&amp;&quot;&#39;');
    expect(xmlText('\u0001\ud83d\ude00\ud83d')).toBe('\ufffd😀\ufffd');
  });
});
