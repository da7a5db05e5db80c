// Groups files into profiles, and orders profiles by age.

export interface Dropped {
  name: string;
  lastModified: number;
}

// Callgrind writes parts and threads of one run as callgrind.out.PID.PART-THREAD; threads of a file with a name of its
// own as NAME-THREAD, two digits or more.
function runOf(name: string): string {
  const written = /^((?:.*[/\\])?callgrind\.out\.\d+)(?:\.\d+)?(?:-\d+)?$/.exec(name);
  const threads = /^(.+)-\d{2,}$/.exec(name);
  return written?.[1] ?? threads?.[1] ?? name;
}

// By profile, the oldest first.
export function profilesOf<File extends Dropped>(files: readonly File[]): File[][] {
  const runs = new Map<string, File[]>();
  for (const file of files) runs.set(runOf(file.name), [...(runs.get(runOf(file.name)) ?? []), file]);
  const age = (run: File[]) => Math.max(...run.map(file => file.lastModified));
  const byName = (a: Dropped, b: Dropped) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  for (const run of runs.values()) run.sort(byName);
  return [...runs.values()].sort((a, b) => age(a) - age(b) || byName(a[0]!, b[0]!));
}
