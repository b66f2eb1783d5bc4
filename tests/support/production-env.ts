/** A complete production environment on a loopback host. Tests override parts of it. */
export const productionEnv = {
  PUBLIC_ORIGIN: 'http://localhost:3000',
  DATABASE_URL: 'sqlite:/nowhere/shop.sqlite',
  SUPPORT_EMAIL: 'support@shop.example',
  SUPPORT_PHONE: '+1 555 0100',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Meridian <no-reply@shop.example>',
  // 32 zero bytes: not a secret.
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  SESSION_SECRET: 'no secret, and never one of a shop',
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_no_secret',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_no_secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_no_secret',
  STORAGE: 'local:/nowhere/files',
} as const satisfies Record<string, string>
