/** An inspector on a port of its own, as `hermes ui` serves it. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hermes, HermesHomes } from '@hermes/core'
import { createAdaptorServer } from '@hono/node-server'
import { hermesInspector, type Inspector, type InspectorOptions } from '../src/inspector.ts'

export interface ServedInspector {
  readonly inspector: Inspector
  readonly origin: string
  link(): Promise<string>
  close(): Promise<void>
}

export const serveInspector = async (target: Hermes | HermesHomes, options: InspectorOptions = {}): Promise<ServedInspector> => {
  const inspector = hermesInspector(target, options)
  const server = createAdaptorServer({ fetch: inspector }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    inspector.close()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return { inspector, origin, link: () => inspector.link(origin), close }
}
