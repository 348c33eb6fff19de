/** A fixed piece of work, like that of the tests in kind. How long it takes tells how slow the machine is, alone or because it shares its processors. */

const TRIES = 3

const document = Array.from({ length: 400 }, (_, index) => ({ id: `entry-${index}`, text: `The ${index}th entry of a home.`, at: index }))

const work = (): number => {
  const copy: typeof document = JSON.parse(JSON.stringify(document))
  const byText = new Map(copy.map((each) => [each.text.toUpperCase(), each]))
  return [...byText.keys()].sort().join('\n').split(/\W+/).length
}

const once = (): number => {
  const before = performance.now()
  work()
  return (performance.now() - before) / 1_000
}

/** Seconds, of the quickest of a few tries: the others had to wait for a processor. */
export const referenceSeconds = (): number => Math.min(...Array.from({ length: TRIES }, once))
