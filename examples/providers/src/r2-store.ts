/** A bucket of Cloudflare R2 as the store of `packedBackend`: one object for each home, put only if nobody else was first. */
import type { PackedStore } from '@hermes/core/storage'

interface R2Conditions {
  readonly etagMatches?: string
  readonly etagDoesNotMatch?: string
}

/** What is used of an `R2Bucket`, a binding of a Worker. */
export interface R2BucketLike {
  get(key: string): Promise<{ readonly etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>
  /** Null: the condition does not hold. */
  put(key: string, bytes: Uint8Array<ArrayBuffer>, options: { readonly onlyIf: R2Conditions }): Promise<object | null>
}

export const r2Store = (bucket: R2BucketLike): PackedStore => ({
  async get(key) {
    const found = await bucket.get(key)
    return found ? { bytes: new Uint8Array(await found.arrayBuffer()), tag: found.etag } : undefined
  },
  async put(key, bytes, expectedTag) {
    const onlyIf = expectedTag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: expectedTag }
    return (await bucket.put(key, new Uint8Array(bytes), { onlyIf })) !== null
  },
})
