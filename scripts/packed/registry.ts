/** A local registry that serves tarballs, so that npm installs our packages by name. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Registry {
  readonly url: string
  readonly close: () => Promise<void>
}

const readManifest = async (tarball: string): Promise<{ readonly name: string; readonly version: string }> =>
  JSON.parse((await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout)

/** Serves one version of each package: that of its tarball in the folder. */
export const serveTarballs = async (folder: string): Promise<Registry> => {
  const answers = new Map<string, string | Buffer>()
  const server = createServer((request, response) => {
    const answer = answers.get(decodeURIComponent(request.url ?? ''))
    // The port differs in each run, so npm must not cache anything of this.
    response.writeHead(answer === undefined ? 404 : 200, { 'cache-control': 'no-store' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a listening server has a port')
  const url = `http://127.0.0.1:${address.port}`

  for (const file of await readdir(folder)) {
    const tarball = await readFile(join(folder, file))
    const manifest = await readManifest(join(folder, file))
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${url}/${file}`, integrity } }
    const document = { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
    answers.set(`/${file}`, tarball).set(`/${manifest.name}`, JSON.stringify(document))
  }
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url, close }
}
