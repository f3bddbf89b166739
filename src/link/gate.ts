/** Something to wait at: those who wait get on in their order. */
export interface Gate {
  opened: Promise<void>
  open(): void
}

export function newGate(): Gate {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
