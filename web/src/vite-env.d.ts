/// <reference types="vite/client" />

// Of workers only, whose types do not go together with those of pages.
declare class FileReaderSync {
  readAsArrayBuffer(data: Blob): ArrayBuffer;
}
