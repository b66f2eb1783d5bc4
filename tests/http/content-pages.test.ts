import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

type RequiredText = { title: string; heading: string; facts: readonly (string | RegExp)[] }

/**
 * Every fact that the specification states about a page (section 2, "Static public pages"; section
 * 9).
 */
const pages: Record<string, RequiredText> = {
  '/faq': {
    title: 'FAQ',
    heading: 'FAQ',
    facts: [
      /browse our medications.*upload a valid prescription.*partner pharmacies verify it/i,
      'major credit and debit cards',
      /domestic.*3-7 business days.*international.*7-14 business days/i,
      /verified, licensed partner/,
      /tracking number by email.*My Orders/,
      /returns are not accepted for medications.*contact support/i,
    ],
  },
  '/shipping': {
    title: 'Shipping Information',
    heading: 'Shipping Information',
    facts: [
      /Domestic Shipping.*Standard 3-5 business days.*Express 1-2 business days.*processed in 1-2 business days.*Free shipping on orders over \$50/,
      /International Shipping.*Standard 7-14 business days.*Express 3-7 business days.*over 100 countries.*may add 1-3 days/,
      /Order Tracking.*email updates at each milestone/,
      /Secure Packaging.*discreet/,
      /Prescription Medications.*pharmacy partners.*within 24 hours/,
    ],
  },
  '/privacy': {
    title: 'Privacy Policy',
    heading: 'Privacy Policy',
    facts: [
      'Last updated January 2025',
      'Information We Collect',
      'How We Use Your Information',
      'Data Security',
      'Information Sharing',
      'Your Rights',
      'support@meridian.test',
    ],
  },
  '/terms': {
    title: 'Terms of Service',
    heading: 'Terms of Service',
    facts: [
      'Last updated January 2025',
      'Acceptance of Terms',
      /Prescription Confirmations.*you confirm that.*valid prescription/,
      /Order Processing.*refuse or cancel any order/,
      /Pricing and Payment.*US dollars \(USD\)/,
      /Shipping and Delivery.*risk of loss passes to you on delivery to the carrier/,
      /Returns and Refunds.*refunds for unshipped orders and for significant errors.*within 48 hours of delivery/,
      /Limitation of Liability.*not liable/,
    ],
  },
  '/hipaa': {
    title: 'HIPAA Compliance',
    heading: 'HIPAA Compliance',
    facts: [
      'HIPAA-aware',
      'health data is encrypted',
      'Protected Health Information',
      'Security Measures',
      'Access Controls',
      'Business Associates',
      'Your Rights',
      'Notice of Privacy Practices',
      /Privacy Officer.*support@meridian\.test/,
    ],
  },
  '/about': {
    title: 'About Meridian',
    heading: 'About Meridian',
    facts: [
      'Our Mission',
      /Global Reach.*US, UK, Australia and more/,
      /Verified Partners.*license/,
      'OTC and Prescription',
      'Customer First',
    ],
  },
  '/careers': {
    title: 'Join Our Team',
    heading: 'Join Our Team',
    facts: [
      '4 open positions',
      /Operations Senior Pharmacy Operations Manager .*? Remote Full-time Apply Now/,
      /Support Customer Support Specialist .*? Remote Full-time Apply Now/,
      /Engineering Full Stack Developer .*? Remote Full-time Apply Now/,
      /Legal Compliance Officer .*? Remote Full-time Apply Now/,
    ],
  },
  '/blog': {
    title: 'Blog',
    heading: 'Blog',
    facts: [
      /Education [A-Z][a-z]{2} \d{1,2}, \d{4} /,
      /Safety [A-Z]/,
      /Industry [A-Z]/,
      'More articles coming soon!',
    ],
  },
}

const homeFacts = [
  'Frequently Asked Questions',
  /order prescription medications\?.*upload your prescription/,
  /How long does delivery take\?.*24-48 hours.*5-10 business days/,
  /What documents do I need\?.*PDF, JPG or PNG/,
  /pharmacies verified\?.*license/,
  /payment secure\?.*encrypted/,
  /ship internationally\?.*over 100 countries/,
  /track my order\?.*tracking number by email/,
  /refund policy\?.*within 48 hours of delivery/,
]

const faqPage = z.object({
  '@type': z.literal('FAQPage'),
  mainEntity: z.array(
    z.object({
      '@type': z.literal('Question'),
      name: z.string(),
      acceptedAnswer: z.object({ '@type': z.literal('Answer'), text: z.string() }),
    }),
  ),
})

/** The questions in a page's structured data. */
function structuredQuestions(html: string): z.infer<typeof faqPage>['mainEntity'] {
  const objects = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)]
  const found = objects.map(([, json = '']) => faqPage.safeParse(JSON.parse(json)).data)
  return found.flatMap((page) => page?.mainEntity ?? [])
}

/** The accordion group of each entry that opens, in order. */
const accordionsOf = (html: string): string[] =>
  [...mainOf(html).matchAll(/<details\b[^>]*name="([^"]+)"/g)].map(([, name = '']) => name)

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })

  const read = async (path: string): Promise<string> => {
    const response = await shop.visit().get(path)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    return response.text()
  }

  describe.each(Object.entries(pages))('%s', (path, { title, heading, facts }) => {
    test('has every fact of the specification', async () => {
      const text = readMain(await read(path))
      for (const fact of facts) expect(text).toMatch(fact)
    })

    test('has its title, a description, its canonical URL and one h1', async () => {
      const html = await read(path)
      expect(html).toContain(`<title>${title} | Meridian</title>`)
      expect(html).toContain(`<link rel="canonical" href="${shop.origin}${path}"/>`)
      const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1] ?? ''
      expect(description.length).toBeGreaterThan(60)
      expect(description.length).toBeLessThanOrEqual(160)
      expect(headingsOf(html, 1)).toEqual([heading])
    })

    test('links only to existing places within the page', async () => {
      const main = mainOf(await read(path))
      const ids = [...main.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const [, id] of main.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id)
    })
  })

  test('the legal pages list their sections, and each section can be linked to', async () => {
    for (const [path, sections] of [
      ['/privacy', 5],
      ['/terms', 7],
      ['/hipaa', 6],
    ] as const) {
      const html = await read(path)
      const nav = /<nav aria-label="On this page"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''
      expect([...nav.matchAll(/href="#/g)], path).toHaveLength(sections)
    }
  })

  test('the home page answers the eight questions with the specified figures', async () => {
    const html = await read('/')
    for (const fact of homeFacts) expect(readMain(html)).toMatch(fact)
    expect(accordionsOf(html)).toEqual(Array.from({ length: 8 }, () => 'questions'))
    expect(readMain(html)).toContain('Returns and refunds')
    expect(await read('/terms')).toContain('id="returns-and-refunds"')
  })

  test('/faq has six questions in one accordion group, so only one is open', async () => {
    expect(accordionsOf(await read('/faq'))).toEqual(Array.from({ length: 6 }, () => 'faq'))
  })

  test('the structured data has the same questions and answers as the page', async () => {
    for (const [path, count] of [
      ['/', 8],
      ['/faq', 6],
    ] as const) {
      const html = await read(path)
      const text = readMain(html)
      const questions = structuredQuestions(html)
      expect(questions, path).toHaveLength(count)
      for (const { name, acceptedAnswer } of questions)
        expect(text).toContain(`${name} ${acceptedAnswer.text}`)
    }
  })

  test('Apply Now emails the support address, with the position as the subject', async () => {
    const customShop = await openShop({ env: { SUPPORT_EMAIL: 'people@shop.example' } })
    const html = await (await customShop.visit().get('/careers')).text()
    const links = [...mainOf(html).matchAll(/href="(mailto:[^"]+\?subject=[^"]+)"/g)].map(
      ([, href = '']) => href,
    )
    expect(links.map((href) => new URL(href).pathname)).toEqual(Array(4).fill('people@shop.example'))
    expect(links.map((href) => new URL(href).searchParams.get('subject'))).toEqual([
      'Senior Pharmacy Operations Manager',
      'Customer Support Specialist',
      'Full Stack Developer',
      'Compliance Officer',
    ])
  })

  test('every page shows the support address of the environment', async () => {
    const customShop = await openShop({ env: { SUPPORT_EMAIL: 'people@shop.example' } })
    for (const path of ['/faq', '/privacy', '/terms', '/hipaa', '/careers']) {
      const html = await (await customShop.visit().get(path)).text()
      expect(readMain(html), path).toContain('people@shop.example')
      expect(html, path).not.toContain('support@meridian.test')
    }
  })

  test('three posts have a title, a date and a picture that loads', async () => {
    const html = mainOf(await read('/blog'))
    const posts = html.split('<article').slice(1)
    expect(posts).toHaveLength(3)
    for (const post of posts) {
      expect(post).toMatch(/<h2\b/)
      expect(post).toMatch(/<time dateTime="\d{4}-\d\d-\d\d"/i)
      expect(post).toMatch(/<img [^>]*alt="[^"]{20,}"/)
      const picture = /<img [^>]*src="([^"]+)"/.exec(post)?.[1] ?? ''
      const response = await shop.visit().get(picture)
      expect(response.status, picture).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    }
  })

  test('the picture for shared links loads at 1200 × 630', async () => {
    const html = await read('/')
    expect(html).toContain(`<meta property="og:image" content="${shop.origin}/share.png"/>`)
    const response = await shop.visit().get('/share.png')
    expect(response.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    expect(bytes.length).toBeLessThan(80_000)
  })
})
