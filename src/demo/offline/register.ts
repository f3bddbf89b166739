// Installs the service worker, and tells of a new version without forcing it on anybody.

import { notify } from '../alerts.js'
import { button } from '../button.js'
import type { Message } from './scope.js'

const reload = (): HTMLElement => button('Reload', () => location.reload(), { class: 'small' })

function announce(waiting: ServiceWorker): void {
  const update = button(
    'Reload',
    () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      waiting.postMessage({ activate: true } satisfies Message)
    },
    { class: 'small' }
  )
  notify('A new version of this page is ready. Tasks stay as they are.', 'note', update)
}

/** Makes the page work offline, once it has loaded; a browser without service workers goes on without. */
export async function registerServiceWorker(): Promise<void> {
  const { serviceWorker } = navigator
  if (serviceWorker === undefined || !import.meta.env.PROD) return
  const wasControlled = serviceWorker.controller !== null
  const registration = await serviceWorker.register('./sw.js')
  if (registration.waiting !== null && wasControlled) announce(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && serviceWorker.controller !== null) announce(installing)
    })
  })
  serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled) notify('Another tab has switched to a new version of this page.', 'note', reload())
  })
}
