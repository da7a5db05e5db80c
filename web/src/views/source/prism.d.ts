// Prism without any languages; @types/prismjs has types for the whole only.

declare module 'prismjs/components/prism-core' {
  import prism from 'prismjs';

  export type { Grammar, TokenStream } from 'prismjs';
  export default prism;
}
