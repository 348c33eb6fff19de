/** Ports for programs that cannot choose one themselves. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that a system gives to connections and to whoever asks for any, so that nobody gets one before its program starts. */
const [FIRST, END] = [10_240, 32_000]

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const opened = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!opened) return false
  server.close()
  await once(server, 'close')
  return true
}

/** A port of 127.0.0.1 on which nobody listens. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}
