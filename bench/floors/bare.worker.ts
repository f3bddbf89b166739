// As large as the worker of task tools once it is built, holds a lock for its life as that does, and answers at once.

const lock = new URL(location.href).searchParams.get('lock') ?? 'bare'
const held = new Promise<void>((resolve) => {
  navigator.locks
    .request(lock, () => {
      resolve()
      return new Promise<never>(() => undefined)
    })
    .catch(() => undefined)
})

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'close') close()
    else held.then(() => port.postMessage(data)).catch(() => undefined)
  }
})
