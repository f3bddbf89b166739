// What the scenarios need of a browser, whatever drives it.

/** JSON goes in and comes out; the function is handed over as text, so it uses nothing from outside of itself. */
type Evaluate = <Result, Args extends unknown[]>(
  fn: (...args: Args) => Result | Promise<Result>,
  ...args: Args
) => Promise<Result>

export interface Tab {
  run: Evaluate
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** To the page before, out of the back/forward cache if the browser keeps one. */
  back(): Promise<void>
  close(): Promise<void>
  /** A PNG of what a person sees. */
  screenshot(): Promise<Buffer>
}

export interface Browser {
  /** Opens a tab in front of the others. */
  open(url: string): Promise<Tab>
  /** Opens a tab that is not driven, where the driver cannot go on after the process of a driven one was killed. */
  openApart?(url: string): Promise<void>
  /** Ends it as a crash of the machine does, where the driver can. */
  kill?(): Promise<void>
  /** The processes in which workers of pages run, the oldest first, where the driver can tell. */
  workers?(): Promise<number[]>
  close(): Promise<void>
}

export interface Wishes {
  /** Bytes for each origin, where the driver can limit them. */
  room?: number
  /** All windows are private; the other drivers ignore it. */
  isPrivate?: boolean
}

/** Starts a browser with the profile in this folder. */
export type Launch = (profile: string, wishes?: Wishes) => Promise<Browser>
