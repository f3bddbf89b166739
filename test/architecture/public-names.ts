/** The public names of each entry, types included. Whoever adds one writes it here, too. */
export const publicNames: Readonly<Record<string, readonly string[]>> = {
  'src/index.ts': [],
  'src/worker.ts': [],
  'src/stores.ts': [],
  'src/testing.ts': []
}
