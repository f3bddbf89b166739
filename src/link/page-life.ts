// A page that is hidden for good, cached or frozen looks the same at first: https://developer.chrome.com/docs/web-platform/page-lifecycle-api

export interface PageLife {
  hide(): void
  show(): void
}

/** Tells when the page goes and when it is back; returns the way to stop. */
export function watchPage(page: EventTarget | undefined, { hide, show }: PageLife): () => void {
  const shown = (event: Event): void => {
    if ((event as PageTransitionEvent).persisted) show()
  }
  const listeners: [string, (event: Event) => void][] = [
    ['pagehide', hide],
    ['pageshow', shown],
    ['freeze', hide],
    ['resume', show]
  ]
  // The last two are fired at the document; in the capture phase they pass the window.
  for (const [type, listener] of listeners) page?.addEventListener(type, listener, { capture: true })
  return () => {
    for (const [type, listener] of listeners) page?.removeEventListener(type, listener, { capture: true })
  }
}
