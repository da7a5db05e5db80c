import { visible } from '../model/visible';

// Downloads a file.
export function saveFile(name: string, type: string, content: BlobPart) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = visible(name).replace(/[/\\:*?"<>|]/g, '_') || 'profile';
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
