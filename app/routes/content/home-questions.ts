import { paths } from '#domain/paths.ts'
import type { FaqEntry } from './FaqList.tsx'

/** The eight questions of the home page (specification, section 9, "Stated in FAQ"). */
export const homeQuestions: readonly FaqEntry[] = [
  {
    question: 'How do I order prescription medications?',
    answer:
      'Add the medication to your cart, upload your prescription and check out. A licensed partner pharmacy verifies the prescription before the order is processed and shipped. Once a pharmacist has reviewed it, you’ll find your refills under My Prescriptions.',
    next: { to: paths.uploadPrescription, words: 'Upload a prescription' },
  },
  {
    question: 'How long does delivery take?',
    answer:
      'Orders are processed within 24-48 hours. Delivery then takes 5-10 business days, depending on where you are and the shipping method you choose.',
    next: { to: paths.shipping, words: 'Shipping methods and times' },
  },
  {
    question: 'What documents do I need?',
    answer:
      'For prescription medications: a valid prescription from a licensed prescriber as a PDF, JPG or PNG file of up to 10MB, and an ID document in your profile. Over-the-counter products need neither.',
  },
  {
    question: 'Are the pharmacies verified?',
    answer:
      'Yes. Every partner pharmacy holds a pharmacy license, which we verify before it can ship through Meridian.',
    next: { to: paths.about, words: 'About our partner pharmacies' },
  },
  {
    question: 'Is my payment secure?',
    answer:
      'Yes. A card payment provider charges your card over an encrypted connection. We store a payment reference with your order, never your card number.',
  },
  {
    question: 'Do you ship internationally?',
    answer:
      'Yes, to over 100 countries. Customs can add time, and some countries do not allow certain medications to be imported.',
    next: { to: paths.shipping, words: 'International shipping' },
  },
  {
    question: 'How can I track my order?',
    answer:
      'You’ll receive a tracking number by email when your order ships, and an update at each milestone. Your account lists your orders and their status.',
    next: { to: paths.orders, words: 'My Orders' },
  },
  {
    question: 'What is your refund policy?',
    answer:
      'Medications cannot be returned. If your order arrives damaged or is not what you ordered, contact us within 48 hours of delivery. We’ll arrange a refund for significant errors. Orders that have not been shipped can be refunded.',
    next: { to: paths.returnsSection, words: 'Returns and refunds' },
  },
]
