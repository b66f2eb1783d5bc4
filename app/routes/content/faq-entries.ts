import { paths } from '#domain/paths.ts'
import type { FaqEntry } from './FaqList.tsx'

/**
 * The six questions of /faq. Their figures differ from those of the home page and /shipping, as
 * specified.
 */
export const faqEntries: readonly FaqEntry[] = [
  {
    question: 'How do I order prescription medications?',
    answer:
      'Browse our medications and add what your doctor prescribed to your cart, then upload a valid prescription. Our partner pharmacies verify it before your order is processed and shipped: a pharmacist checks each item against it. Refills are under ‘My Prescriptions’.',
    next: { to: paths.uploadPrescription, words: 'Upload a prescription' },
  },
  {
    question: 'What payment methods do you accept?',
    answer:
      'We accept major credit and debit cards. All prices are in US dollars (USD). For an order with prescription items, we reserve the amount first and charge your card once, for the items that a pharmacist has cleared.',
  },
  {
    question: 'How long does shipping take?',
    answer:
      'Domestic orders typically arrive in 3-7 business days and international orders in 7-14 business days. Prescription items are shipped once the prescription is verified.',
    next: { to: paths.shipping, words: 'Shipping methods and times' },
  },
  {
    question: 'Are the medications authentic?',
    answer:
      'Yes. Every medication is dispensed by a verified, licensed partner pharmacy. The manufacturer and the NDC, DIN or UPC are on the medication’s page, so you can compare them with the package you receive.',
    next: { to: paths.about, words: 'About our partner pharmacies' },
  },
  {
    question: 'How can I track my order?',
    answer:
      'When your order ships, you’ll receive a tracking number by email. You can also see the status of your orders under ‘My Orders’ in your account.',
    next: { to: paths.orders, words: 'My Orders' },
  },
  {
    question: 'Can I return medications?',
    answer:
      'For safety reasons, returns are not accepted for medications. If something is wrong with your order, contact support and we’ll help.',
    next: { to: paths.contact, words: 'Contact support' },
  },
]
