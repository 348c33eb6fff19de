/** A bucket of R2, which Cloudflare's own runtime serves here. */
import { Miniflare } from 'miniflare'
import type { R2BucketLike } from '../../src/r2-store.ts'

export const openBucket = async (): Promise<{ readonly bucket: R2BucketLike; readonly close: () => Promise<void> }> => {
  const script = 'export default { fetch: () => new Response("") }'
  const runtime = new Miniflare({ modules: true, script, r2Buckets: ['HOMES'], compatibilityDate: '2026-01-01' })
  // Its type is that of a Worker, whose bytes and streams are not those of Node.
  const bucket = (await runtime.getR2Bucket('HOMES')) as unknown as R2BucketLike
  return { bucket, close: () => runtime.dispose() }
}
