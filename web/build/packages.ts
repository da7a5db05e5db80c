// What the page does not use of packages, and no bundler finds out, is left out: Prism's core is used for its tokens
// only, d3-hierarchy for its tilings, without its class of nodes.

import type { Plugin } from 'vite';

// By file: from, to, and what stands there instead.
const cuts: Record<string, [from: string, to: string, instead?: string][]> = {
  'prism-core.js': [
    ['encode: function', 'type: function'],
    ['getLanguage: function', 'languages: {', '},\n'],
    ['highlightAll: function', 'tokenize: function'],
    ['Token.stringify = function', 'function matchPattern'],
    ['if (!_self.document)', 'return _;\n\n}(_self)'],
  ],
  'd3-hierarchy.mjs': [
    ['Node$1.prototype =', 'function '],
    ['TreeNode.prototype =', 'function '],
  ],
};

export function withoutUnused(): Plugin {
  return {
    name: 'callcost:packages',
    apply: 'build',
    transform(code, id) {
      return cuts[id.replace(/.*\//, '')]?.reduce((text, [from, to, instead = '']) => {
        const begin = text.indexOf(from);
        const end = text.indexOf(to, begin);
        if (begin < 0 || end < 0) throw new Error(`${id} has no '${from}' before '${to}' (build/packages.ts)`);
        return text.slice(0, begin) + instead + text.slice(end);
      }, code);
    },
  };
}
