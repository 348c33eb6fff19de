/** An HTTP server on this machine that speaks JSON, in the place of a service. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ServiceRequest {
  readonly method: string
  readonly url: URL
  readonly authorization: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface ServiceAnswer {
  readonly status?: number
  readonly body?: unknown
}

/** Resolves to its URL; ends with the test. Answers 404 where `answer` returns nothing. */
export const startService = async (answer: (request: ServiceRequest) => ServiceAnswer | undefined): Promise<string> => {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { status = 200, body: result } = answer({
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://localhost'),
      authorization: request.headers.authorization ?? '',
      body: body === '' ? {} : JSON.parse(body),
    }) ?? { status: 404, body: { error: 'not found' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(result === undefined ? undefined : JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
