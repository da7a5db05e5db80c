/// <reference types="vite/client" />

// For workers only: their types conflict with those of pages.
declare class FileReaderSync {
  readAsArrayBuffer(data: Blob): ArrayBuffer;
}
