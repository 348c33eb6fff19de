/** Exchanges a one-time token for a cookie. Keeps only hashes, in the memory of this process. */

/** More than any person opens; the oldest sign-in ends first. */
const MAX_SIGNED_IN = 50

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export interface SignIn {
  /** A new token, valid once. */
  issue(): Promise<string>
  /** The value of the cookie; undefined for a token that is unknown or used. */
  exchange(token: string): Promise<string | undefined>
  isSignedIn(cookie: string | undefined): Promise<boolean>
  /** Ends every sign-in and every unused token. */
  end(): void
}

/** `createSecret` returns a text that cannot be guessed. */
export const createSignIn = ({ createSecret }: { readonly createSecret: () => string }): SignIn => {
  const tokens = new Set<string>()
  const cookies = new Set<string>()
  return {
    async issue() {
      const token = createSecret()
      tokens.add(await hashOf(token))
      return token
    },
    async exchange(token) {
      if (!tokens.delete(await hashOf(token))) return undefined
      const cookie = createSecret()
      const [oldest] = cookies
      if (cookies.size >= MAX_SIGNED_IN && oldest !== undefined) cookies.delete(oldest)
      cookies.add(await hashOf(cookie))
      return cookie
    },
    isSignedIn: async (cookie) => cookie !== undefined && cookies.has(await hashOf(cookie)),
    end() {
      tokens.clear()
      cookies.clear()
    },
  }
}
