// Workers that are in the page: what Vite makes of `?worker&inline`, without its ways around old browsers and policies that
// the page does not have.

import type { Plugin } from 'vite';

const made = /^(?:const|var|let) (\w+) = [\s\S]*?;\n(?=(?:const|var|let) \w+ = typeof self)/;

export function smallWorkers(): Plugin {
  return {
    name: 'callcost:workers',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!id.endsWith('?worker&inline')) return null;
      const [content, name] = made.exec(code) ?? [];
      if (!content) throw new Error(`${id} is not what it was (build/workers.ts)`);
      return `${content}export default function () {
        const script = new Blob(['URL.revokeObjectURL(location.href);', ${name}], { type: 'text/javascript' });
        return new Worker(URL.createObjectURL(script));
      }`;
    },
  };
}
