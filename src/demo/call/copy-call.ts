// A call as others can make it: on the wire, and in code.

export interface Call {
  method: 'tools/call'
  params: { name: string; arguments: Record<string, unknown>; task?: Record<string, never> }
}

/** The request that calls a tool, as a task or plainly. */
export const callOf = (name: string, args: Record<string, unknown>, asTask: boolean): Call => ({
  method: 'tools/call',
  params: { name, arguments: args, ...(asTask && { task: {} }) }
})

/** The same in TypeScript, for who has a connected `client`. */
export function codeOf(name: string, args: Record<string, unknown>, asTask: boolean): string {
  const call = JSON.stringify({ name, arguments: args }, null, 2)
  if (!asTask) return `const result = await client.callTool(${call})\nconsole.log(result.content)\n`
  return [
    "import { runTask } from 'intab'",
    '',
    `const run = await runTask(client, ${call})`,
    'for await (const task of run) console.log(task.status, task.statusMessage)',
    'console.log(await run.result())',
    ''
  ].join('\n')
}
