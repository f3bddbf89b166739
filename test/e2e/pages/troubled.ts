// A page and a worker in which everything goes wrong that the fixtures must see.
const worker = new SharedWorker(new URL('./troubled.worker.ts', import.meta.url), { type: 'module', name: 'troubled' })
worker.port.start()
setTimeout(() => {
  throw new Error('thrown in the page')
})
