// What people learn about their accounts: on the page Activity, and by mail.
export { NoticeEntity } from './notice.entity.js';
export { NoticeModule } from './notice.module.js';
export { Notices, type NoticeRow } from './notices.js';
export { MAIL_CHOICES, noticeText, type NoticeKind } from './notice-texts.js';
