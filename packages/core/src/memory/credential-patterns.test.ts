import { describe, expect, it } from 'vitest'
import { holdsCredential } from './credential-patterns.ts'

describe('holdsCredential', () => {
  it.each([
    'password: hunter2hunter2',
    'The wifi password is hunter2',
    'DB_PASSWORD=s3cr3tpw',
    'Passwort ist Sommer2024!',
    '密码是abc12345',
    'PIN is 4711',
    'token: a1b2c3d4e5f6',
    'sk-proj-abc123def456ghi789',
    'ghp_abcdefghijklmnopqrst1234567890abcdef',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def-123',
    '-----BEGIN RSA PRIVATE KEY-----',
    'Authorization: Bearer abcdef0123456789abcdef',
    'postgres://app:pa55word@db/x',
    'pass\u200bword: hunter2hunter2',
  ])('knows a value: %s', (text) => {
    expect(holdsCredential(text)).toBe(true)
  })

  it.each([
    'the password manager is 1Password',
    'token limit is 2000',
    'max_tokens: 4096',
    'API_KEY=$API_KEY',
    'secret: AWS_SECRET_NAME_2',
    'password: <your password>',
    'postgres://app:$PASS@db/x',
    'the API token is stored in the vault',
    'The access token expires after 3600 seconds',
    'passwords are rotated every 90 days',
    'password must be 12 characters',
    'The password is required',
    'the key is to test early',
    'sk-learn is used for models',
    'bearer of bad news',
    'Design tokens live in tokens.css',
    'git commit 3f2a9c1b7d8e4f5a6b7c8d9e0f1a2b3c4d5e6f70',
  ])('lets talk about credentials pass: %s', (text) => {
    expect(holdsCredential(text)).toBe(false)
  })

  it('takes time that grows with the text alone', () => {
    for (const part of ['password is ', 'eyJ', 'sk-', 'a://', 'token=', 'bearer ', '-', 'a1']) holdsCredential(part.repeat(100_000))
  })
})
