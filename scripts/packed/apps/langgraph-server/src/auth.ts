/** Who is signed in, and whose threads they may see: their own. */
import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth'

export const auth = new Auth()
  .authenticate(async (request: Request) => {
    // Stands in for a login.
    const [, identity] = /^Bearer token-of-(\w+)$/.exec(request.headers.get('authorization') ?? '') ?? []
    if (identity === undefined) throw new HTTPException(401, { message: 'Sign in first.' })
    return { identity, permissions: [] }
  })
  .on('threads', ({ value, user }) => {
    if ('metadata' in value) value.metadata = { ...value.metadata, owner: user.identity }
    return { owner: user.identity }
  })
