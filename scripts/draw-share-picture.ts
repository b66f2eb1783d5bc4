/**
 * `npx tsx scripts/draw-share-picture.ts`: draws public/share.png, the preview picture of links to
 * the shop.
 */
import { findChromium } from '#tests/support/chromium.ts'
import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'

const embed = (path: string, type: string): string =>
  `data:${type};base64,${readFileSync(path).toString('base64')}`

const font = embed('app/fonts/figtree-latin.woff2', 'font/woff2')
const logo = embed('public/favicon.svg', 'image/svg+xml')
const shelf = embed('app/routes/content/shelf.svg', 'image/svg+xml')

const html = `<!doctype html>
<style>
  @font-face { font-family: Figtree; font-weight: 300 900; src: url(${font}) }
  body { margin: 0; width: 1200px; height: 630px; background: #eef5f5; color: #04171c; font-family: Figtree }
  main { display: grid; grid-template-columns: 500px 560px; column-gap: 28px; align-items: center; height: 100%; padding: 0 56px; box-sizing: border-box }
  p { display: flex; align-items: center; gap: 18px; margin: 0; font-size: 40px; font-weight: 700; letter-spacing: -0.02em }
  h1 { margin: 44px 0 28px; font-size: 62px; font-weight: 700; line-height: 1.1; letter-spacing: -0.02em }
  small { font-size: 28px; line-height: 1.4; color: #3b4d52 }
</style>
<main>
  <div>
    <p><img src="${logo}" width="64" height="64">Meridian</p>
    <h1>Your Global Pharmacy Marketplace</h1>
    <small>Prescription and over-the-counter medications from licensed pharmacies</small>
  </div>
  <img src="${shelf}" width="560">
</main>`

const { executablePath, args, env } = await findChromium()
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(html)
await page.evaluate(() => document.fonts.ready)
await page.screenshot({ path: 'public/share.png' })
await browser.close()
