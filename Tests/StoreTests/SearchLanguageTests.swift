import CutieAPI
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @testable import Store

/// A language with ten sample sentences. `|` marks the boundaries of words that are written without spaces.
struct SampleLanguage: Sendable, CustomTestStringConvertible {
    let name: String
    let sentences: [String]

    var testDescription: String { name }
}

struct SearchLanguageTests {
    @Test(arguments: SampleLanguage.all)
    func `In each language, every word of the sample sentence is found and highlighted`(
        _ language: SampleLanguage
    ) async throws {
        #expect(language.sentences.count == 10)
        let fixture = try StoreFixture()
        let texts = language.sentences.map { $0.filter { $0 != "|" } }
        try fixture.store.write { transaction in
            for (number, text) in texts.enumerated() {
                try transaction.messages.insert(
                    .reply("m\(number)", text, at: Int64(number)), account: fixture.account, stage: .stored,
                    pending: false, at: .at(1))
            }
        }
        for (number, sentence) in language.sentences.enumerated() {
            for word in sentence.split(whereSeparator: { $0 == " " || $0 == "|" }) {
                guard let query = SearchQuery(String(word)) else { continue }
                let found = try await fixture.store.search(query, limit: 10).map(\.message.id)
                #expect(found.contains(Message.ID("m\(number)")), "\(word)")
                #expect(!query.findRanges(in: texts[number]).isEmpty, "\(word)")
            }
        }
    }
}

extension SampleLanguage {
    static let all = [
        english, german, french, spanish, japanese, arabic, chinese, thai, korean, emoji,
    ]

    private static let english = SampleLanguage(
        name: "en",
        sentences: [
            "The app crashes when I open the settings.", "Thank you, that fixed it!",
            "Where can I change my e-mail address?",
            "It's slower since version 2.1.", "Export to CSV doesn't work on my laptop.",
            "Could you add a dark mode?",
            "I was charged twice (order #4711).", "The naïve façade of the café",
            "Please call me back on Monday.",
            "Why did the sync stop at 99 %?",
        ])
    private static let german = SampleLanguage(
        name: "de",
        sentences: [
            "Die Straße wird falsch geschrieben.", "Schöne Grüße aus Zürich!",
            "Das Fußballspiel läuft nicht ab.",
            "Können Sie mir bitte helfen?", "Der Maßstab ist zu groß.", "Ich heiße Jörg Weiß.",
            "Es stürzt nach dem Öffnen ab.",
            "Übrigens: Die Hilfe fehlt.", "Größenänderung geht nicht", "Wann gibt’s ein Update?",
        ])
    private static let french = SampleLanguage(
        name: "fr",
        sentences: [
            "L’application se ferme à l’ouverture.", "Où est le bouton « Réessayer » ?",
            "Merci, ça marche très bien !",
            "J’ai reçu deux factures cet été.", "Le cœur de l’œuvre a disparu.", "Pouvez-vous m’aider ?",
            "La fenêtre reste bloquée.", "Mon numéro a changé hier.", "C’est déjà réglé, bien sûr.",
            "Quand arrive la mise à jour ?",
        ])
    private static let spanish = SampleLanguage(
        name: "es",
        sentences: [
            "¿Dónde cambio mi contraseña?", "La aplicación se cierra sola.", "¡Muchas gracias por su ayuda!",
            "El año pasado sí funcionaba.", "No puedo iniciar sesión.", "Mañana lo intentaré de nuevo.",
            "El pingüino está en la página.", "Falta el botón de búsqueda.", "Recibí el mensaje dos veces.",
            "¿Cuándo habrá una versión móvil?",
        ])
    private static let japanese = SampleLanguage(
        name: "ja",
        sentences: [
            "アプリ|が|すぐ|に|落ち|ます|。", "設定|画面|を|開け|ません|。", "東京|都|で|使っ|て|い|ます|。", "返信|が|届か|ない|の|です|が|。",
            "データ|の|エクスポート|は|でき|ます|か|？", "ありがとう|ござい|まし|た|。", "パスワード|を|忘れ|まし|た|。",
            "iPhone|と|パソコン|で|同期|し|たい|。", "昨日|の|更新|から|遅い|です|。", "ﾃﾞｰﾀ|が|消え|た|。",
        ])
    private static let arabic = SampleLanguage(
        name: "ar",
        sentences: [
            "التطبيق يتوقف عند الفتح.", "شكرًا جزيلًا على المساعدة!", "أين أجد الإعدادات؟",
            "لا أستطيع تسجيل الدخول.",
            "متى يصدر التحديث القادم؟", "الرسالة وصلت مرتين.", "أريد تغيير كلمة المرور.", "إلى مدرسة أحمد",
            "الشاشة سوداء منذ أمس.",
            "هل يمكن إضافة الوضع الليلي؟",
        ])
    private static let chinese = SampleLanguage(
        name: "zh",
        sentences: [
            "应用|一|打开|就|崩溃|。", "请问|在|哪里|修改|密码|？", "谢谢|您|的|帮助|！", "我|无法|登录|账户|。", "导出|功能|不|工作|。",
            "昨天|更新|以后|很|慢|。", "這個|按鈕|沒有|反應|。", "消息|收到|了|两次|。", "什么|时候|有|新|版本|？", "北京|大学|的|学生|用|Linux|。",
        ])
    private static let thai = SampleLanguage(
        name: "th",
        sentences: [
            "แอป|เปิด|ไม่|ได้", "ขอบคุณ|มาก|ครับ", "ลืม|รหัสผ่าน|ทำ|อย่างไร", "ข้อความ|มา|สอง|ครั้ง", "หน้าจอ|เป็น|สีดำ",
            "อัปเดต|เมื่อวาน|แล้ว|ช้า", "ต้องการ|เปลี่ยน|อีเมล", "ปุ่ม|ค้นหา|อยู่|ที่ไหน", "ส่งออก|ไฟล์|CSV|ไม่|ได้",
            "น้ำ|กำลัง|ท่วม|กรุงเทพ",
        ])
    private static let korean = SampleLanguage(
        name: "ko",
        sentences: [
            "앱|이 자꾸 꺼져요.", "설정|을 열 수 없습니다.", "비밀번호|를 잊어버렸어요.", "감사합니다!", "메시지|가 두 번 왔어요.",
            "어제 업데이트|부터 느려요.", "한국어|로 바꾸고 싶어요.", "학교|에서 로그인|이 안 돼요.", "다크 모드|를 추가해 주세요.", "언제 새 버전|이 나오나요?",
        ])
    private static let emoji = SampleLanguage(
        name: "emoji",
        sentences: [
            "Great 🎉", "👍🏽 works", "I ❤️ it", "👨‍👩‍👧|👋", "🇩🇪 🇯🇵", "😀|😃|😄", "5 €", "☕ break", "完成|✅", "Straße|🚗",
        ])
}
