/**
 * Payment card numbers: 13 to 19 digits of a known network, with single spaces, dots or hyphens between groups, and a valid check digit.
 */
import { type CredentialFinder, matchesUpTo } from './credential-span.ts'

/** A whole run of digits, so that part of a longer number does not match. */
const RUNS = /(?<![\p{L}\p{N}_+.#/-])\d(?:[ .-]?\d){12,}(?![\p{L}\p{N}_/-]|\.\d)/gu

/** Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro and Mir, each with its lengths. */
const NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|4[4-9]|5)\d{11,16}|3(?:0[0-5]|[689])\d{11,16}|35\d{14,17}|62\d{14,17}|(?:50|5[6-8]|6[37])\d{11,17}|220[0-4]\d{12,15})$/

/** The check of ISO/IEC 7812. */
const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Single digits or ascending numbers are a list. */
const isList = (run: string): boolean => {
  const groups = run.split(/[ .-]/)
  const isCounting =
    groups.length > 1 && groups.every((group, index) => index === 0 || Math.abs(Number(group) - Number(groups[index - 1]) - 5) < 5)
  return isCounting || groups.some((group) => group.length < 2)
}

export const findCardNumbers: CredentialFinder = (text, maxSigns) =>
  matchesUpTo(text, RUNS, maxSigns)?.flatMap(({ 0: run, index }) => {
    if (run.length > 40) return []
    const digits = run.replace(/\D/g, '')
    const isCard = digits.length <= 19 && NETWORKS.test(digits) && !isList(run) && !/^(.)\1+$/.test(digits) && passesLuhn(digits)
    return isCard ? [{ kind: 'a card number', start: index, end: index + run.length } as const] : []
  })
