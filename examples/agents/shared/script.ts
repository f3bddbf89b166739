// What the scripted model says: it calls the tool with the file that the prompt names, then repeats what the tool said.

export const tool = 'confirm_delete'

export const callFor = (prompt: string): { filename: string } => ({ filename: /\S+\.txt/.exec(prompt)?.[0] ?? '?' })

/** The last text in a library's form of a tool's result. */
export function closing(result: unknown): string {
  const said = JSON.stringify(result)
  return `The tool said: ${/(Deleted|Kept) \S+\.txt/.exec(said)?.[0] ?? said}`
}
