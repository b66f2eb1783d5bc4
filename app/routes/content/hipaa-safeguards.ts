/** The safeguards listed on HIPAA Compliance. The rights and duties follow 45 CFR Part 164. */
export const safeguards: readonly { id: string; title: string; text: string; points: readonly string[] }[] = [
  {
    id: 'protected-health-information',
    title: 'Protected Health Information',
    text: 'Protected health information (PHI) is what identifies you and says something about your health or care. On Meridian that is:',
    points: [
      'your prescriptions, and what they say',
      'medications, allergies, weight and date of birth in your profile',
      'your orders of medications',
      'your ID document',
    ],
  },
  {
    id: 'security',
    title: 'Security Measures',
    text: 'Health data is encrypted, on its way to us and where it is stored.',
    points: [
      'encrypted connections for every page and upload',
      'health fields and documents encrypted at rest with AES-256',
      'uploaded files checked for what they are before they are accepted',
      'search terms and health details left out of server logs',
    ],
  },
  {
    id: 'access-controls',
    title: 'Access Controls',
    text: 'PHI is seen by you, and by those who need it to fill your order.',
    points: [
      'you see your own records, and nobody else’s',
      'staff access is limited by role, to what the task needs',
      'each access to PHI is recorded: who, whose, what and when',
      'sessions end after a time without activity',
    ],
  },
  {
    id: 'business-associates',
    title: 'Business Associates',
    text: 'Partner pharmacies receive PHI to dispense your medications. Vendors that handle PHI on our behalf are business associates:',
    points: [
      'they need a written agreement before they receive any PHI',
      'they may use it only for the task that the agreement names',
      'they must protect it, and report a breach to us',
    ],
  },
]

export const healthRights: readonly { right: string; words: string; source: string }[] = [
  { right: 'Access', words: 'See your PHI and receive a copy of it.', source: '164.524' },
  { right: 'Amendment', words: 'Ask us to correct what is wrong or incomplete.', source: '164.526' },
  { right: 'Accounting', words: 'Receive a list of certain disclosures of your PHI.', source: '164.528' },
  { right: 'Restriction', words: 'Ask us to limit how your PHI is used or shared.', source: '164.522(a)' },
  {
    right: 'Confidential communication',
    words: 'Ask us to reach you in another way or at another place.',
    source: '164.522(b)',
  },
  {
    right: 'Complaint',
    words:
      'Complain to us or to the U.S. Department of Health and Human Services, without disadvantage to you.',
    source: '164.530(d), (g)',
  },
]

export const noticeOfPrivacyPractices: readonly string[] = [
  'This notice says how your health information may be used and disclosed, and how you can get access to it. Your PHI may be used and shared without your further permission for treatment (a pharmacy dispenses your prescription), for payment (your order is charged or refunded), and for health care operations (we keep the records that the law asks for and check the quality of our work). It may be disclosed where the law requires it.',
  'Any other use needs your written authorization, which you may withdraw at any time. Your PHI is neither sold nor used for marketing without it. If a breach of unsecured PHI concerns you, you will be notified.',
  'To use any of your rights, or to receive this notice on paper, write to the privacy officer.',
]
