import { describe, expect, it } from 'vitest'
import { coverageOf, toUmbrellaText } from './consolidation-coverage.ts'

const skill = (...lines: readonly string[]) => `---\nname: a\ndescription: Deploy services.\n---\n\n${lines.join('\n')}\n`
const umbrella = (...texts: readonly string[]) => toUmbrellaText(texts)

const missing = (text: string, held: Parameters<typeof coverageOf>[1]) => coverageOf(text, held).missing

const SOURCE = skill(
  '# Deploy a service',
  'Build the image first, then wait until the registry confirms the upload.',
  '```sh',
  'docker build -t app .',
  '  docker push app',
  '```',
  'Ask https://status.acme.test/health on port 8443 before you go on.',
)

describe('coverageOf', () => {
  it('misses nothing where the text stands in the umbrella, in another order and layout', () => {
    const text = [
      '## Services',
      'Ask https://status.acme.test/health on port 8443 before you go on. Deploy services.',
      '    ```sh\n    docker build -t app .\n    docker push app\n    ```',
      'Build the image first, then wait until the registry confirms the upload: that is how a service is deployed.',
    ].join('\n')
    expect(missing(SOURCE, umbrella(text))).toEqual([])
  })

  it('finds parts in support files too', () => {
    const [head = '', tail = ''] = SOURCE.split('```sh')
    expect(missing(SOURCE, umbrella(head, `\`\`\`sh${tail}`))).toEqual([])
  })

  it.each([
    ['a code block', SOURCE.replace('  docker push app\n', ''), /a code block/],
    ['an address', SOURCE.replace('https://status.acme.test/health', 'the status page'), /status\.acme\.test/],
    ['a number', SOURCE.replace('8443', '443'), /8443/],
    ['its words', '# Deploy\n```sh\ndocker build -t app .\ndocker push app\n```\nhttps://status.acme.test/health 8443', /words/],
  ])('names what is gone: %s', (_, text, wanted) => {
    expect(missing(SOURCE, umbrella(text)).join('; ')).toMatch(wanted)
  })

  it('asks nothing of the front matter but the description', () => {
    const text = '---\nname: a\ndescription: Deploy services.\nversion: 9.9.9\nauthor: x@y.test\n---\n\nBuild it.\n'
    expect(missing(text, umbrella('Deploy services. Build it.'))).toEqual([])
  })

  it('misses nothing of a skill that says nothing', () => {
    expect(missing('', umbrella('x'))).toEqual([])
  })

  it('tells a text that leaves something out from one that is about something else', () => {
    expect(
      coverageOf(
        SOURCE,
        umbrella('Deploy services: build the image, upload it, wait for the registry that confirms, ask for its status, go on.'),
      ).isElsewhere,
    ).toBe(false)
    expect(coverageOf(SOURCE, umbrella('Nothing to see here.')).isElsewhere).toBe(true)
    expect(coverageOf('', umbrella('Nothing to see here.')).isElsewhere).toBe(false)
  })
})
