/** Answers that are being streamed, so that a page which was reloaded gets the one under way. In this process; a template uses Redis. */
import { once } from '@/lib/once.ts'

interface Kept {
  text: string
  done: boolean
}

const streams = once('streams', () => new Map<string, Kept>())

/** Reads the copy to its end, also if nobody listens to the answer itself. */
export const keepStream = async (id: string, stream: ReadableStream<string>): Promise<void> => {
  const kept: Kept = { text: '', done: false }
  streams.set(id, kept)
  for await (const chunk of stream as unknown as AsyncIterable<string>) kept.text += chunk
  kept.done = true
}

/** All of it so far, then what follows. */
export const resumeStream = (id: string): ReadableStream<string> | undefined => {
  const kept = streams.get(id)
  let at = 0
  return (
    kept &&
    new ReadableStream({
      async pull(controller) {
        while (kept.text.length === at && !kept.done) await new Promise((resolve) => setTimeout(resolve, 20))
        if (kept.text.length > at) controller.enqueue(kept.text.slice(at))
        else controller.close()
        at = kept.text.length
      },
    })
  )
}
