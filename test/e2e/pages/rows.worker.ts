import { openRacer, type Round } from './rows-racer.js'

const racer = openRacer(self.name, 'worker')

self.onmessage = async ({ data }: MessageEvent<Round>) => {
  self.postMessage(await (await racer)(data))
}
