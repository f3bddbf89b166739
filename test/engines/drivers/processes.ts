// The processes of a browser, as Linux tells of them.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const ignore = (): undefined => undefined

/** The parent of each process. */
async function parents(): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(ignore)
    // The name of the program stands in parentheses, and may hold some itself.
    const [state, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
    if (state !== undefined && state !== 'Z') found.set(Number(name), Number(parent))
  }
  return found
}

/** The process and all that it started, and they started. */
export async function treeOf(root: number): Promise<number[]> {
  const all = await parents()
  const tree = [root]
  for (const pid of tree) for (const [child, parent] of all) if (parent === pid) tree.push(child)
  return tree.filter((pid) => all.has(pid))
}

/** Of pages: Firefox has workers of its own in its first process. */
const ofPages = /--type=renderer|-contentproc|WebKitWebProcess/
/** Chromium and WebKit, whose names Linux cuts to fifteen characters; Firefox. */
const workerThread = /SharedWorker|DedicatedWorker|^DOM Worker/m

/** The processes below this one in which workers of pages run, the oldest first: the engines name their threads. */
export async function workersOf(root: number): Promise<number[]> {
  const runsWorker = async (pid: number): Promise<boolean> => {
    const of = `/proc/${pid}`
    const command = await readFile(`${of}/cmdline`, 'utf8').catch(ignore)
    if (command === undefined || !ofPages.test(command)) return false
    const threads = await readdir(`${of}/task`).catch(() => [])
    const names = threads.map((id) => readFile(`${of}/task/${id}/comm`, 'utf8').catch(ignore))
    return workerThread.test((await Promise.all(names)).join(''))
  }
  const pids = await treeOf(root)
  const found = await Promise.all(pids.map(async (pid) => ((await runsWorker(pid)) ? [pid] : [])))
  return found.flat().sort((a, b) => a - b)
}

export function end(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}

/** Kills a process with all that it started, and waits until they are gone. */
export async function killTree(root: number): Promise<void> {
  const pids = await treeOf(root)
  end(pids, 'SIGKILL')
  for (;;) {
    const left = await parents()
    if (!pids.some((pid) => left.has(pid))) return
    await sleep(20)
  }
}
