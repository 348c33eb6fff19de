/** Small pieces that several screens show. */
import type { ComponentChildren } from 'preact'
import { now } from '../clock.ts'
import { formatAgo, formatCount, formatInstant } from './format.ts'

export const When = ({ at }: { readonly at: number }) =>
  at === 0 ? (
    <span>never</span>
  ) : (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at)}>
      {formatAgo(at, now())}
    </time>
  )

const ORIGINS: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  user: ['user’s words', 'the user said it'],
  host: ['host’s own', 'the program that the agent is part of wrote it'],
  assistant: ['agent’s own', 'the agent’s own conclusion, with no text from outside in sight'],
  tool: ['from outside', 'from a tool, a page or a document'],
  external: ['by hand', 'written by hand or by another program'],
}

const UNKNOWN_ORIGIN = ['unknown', 'whose words these are was not recorded'] as const

/** Whose words a text rests on. */
export const Origin = ({ origin = '' }: { readonly origin: string | undefined }) => {
  const known = Object.hasOwn(ORIGINS, origin)
  const [label, meaning] = (known ? ORIGINS[origin] : undefined) ?? UNKNOWN_ORIGIN
  return (
    <span class={`origin origin-${known ? origin : 'unknown'}`} title={meaning}>
      {label}
    </span>
  )
}

const PASSES: Readonly<Record<string, string>> = { 'own-words': 'review of own words', everything: 'review of everything' }

export const Pass = ({ pass }: { readonly pass: string | undefined }) => (pass === undefined ? null : <span>{PASSES[pass] ?? pass}</span>)

/** How full a store is. */
export const Gauge = ({ label, used, limit }: { readonly label: string; readonly used: number; readonly limit: number }) => {
  const percent = limit === 0 ? 0 : Math.min(100, (used / limit) * 100)
  const level = percent >= 95 ? 'full' : percent >= 80 ? 'high' : 'fine'
  return (
    <div class="gauge">
      <span class="gauge-label">{label}</span>
      <meter
        class={`level-${level}`}
        min={0}
        max={limit}
        value={used}
        aria-label={`${label}: ${formatCount(used)} of ${formatCount(limit)} characters`}
      />
      <span class="number">
        {formatCount(used)} / {formatCount(limit)}
      </span>
    </div>
  )
}

export const Failure = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : (
    <p class="failure" role="alert">
      {message}
    </p>
  )

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>

/** Named facts; undefined ones are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const Key = ({ name }: { readonly name: string }) => <kbd>{name}</kbd>
