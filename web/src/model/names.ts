// Pieces of names of files and functions.

// The last piece of a path.
export function baseName(path: string): string {
  const end = path.replace(/[/\\]+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1) || path;
}

// What a function belongs to by its name: `std::vector<int>::push_back` to `std`. For colors; the engine groups.
export function outermostNamespace(name: string): string {
  const [head = ''] = /^(\([^)]*\))?[^<(]*/.exec(name.replace(/^<+/, '')) ?? [];
  const at = head.search(/::|\\|\.|->/);
  return at > 0 ? head.slice(0, at).replace(/^[^(]*\s/, '') : '';
}
