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
  /** Ends it as a crash of the machine does, where the driver can. */
  kill?(): Promise<void>
  close(): Promise<void>
}

/** Starts a browser with the profile in this folder; where the driver can, an origin has this much room, in bytes. */
export type Launch = (profile: string, room?: number) => Promise<Browser>
