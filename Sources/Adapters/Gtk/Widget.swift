import Libadwaita

/// What views say to any widget. Nothing is done where it is so already: a screen reader would say it again.
extension Ref {
    public var isVisible: Bool {
        get { gtk_widget_get_visible(self()) != 0 }
        nonmutating set { if newValue != isVisible { gtk_widget_set_visible(self(), newValue ? 1 : 0) } }
    }

    public var isSensitive: Bool {
        get { gtk_widget_get_sensitive(self()) != 0 }
        nonmutating set { if newValue != isSensitive { gtk_widget_set_sensitive(self(), newValue ? 1 : 0) } }
    }

    /// Of the style sheet.
    public func setClass(_ name: String, _ isSet: Bool) {
        guard isSet != (gtk_widget_has_css_class(self(), name) != 0) else { return }
        if isSet { gtk_widget_add_css_class(self(), name) } else { gtk_widget_remove_css_class(self(), name) }
    }

    /// Of a label, as plain text.
    public var text: String {
        get { String(cString: gtk_label_get_text(self())) }
        nonmutating set { if newValue != text { gtk_label_set_text(self(), newValue) } }
    }

    /// Has a label break its lines, where it is wider than so many characters or than its place.
    public func wrap(at characters: Int32) {
        gtk_label_set_wrap(self(), 1)
        gtk_label_set_wrap_mode(self(), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(self(), characters)
        // Else GTK 4.8 finds the least width of some texts to be larger than their least width, and warns.
        gtk_label_set_natural_wrap_mode(self(), GTK_NATURAL_WRAP_WORD)
        gtk_label_set_width_chars(self(), Int32(min(text.count, 10)))
    }

    /// Whether the keyboard is in it.
    @discardableResult
    public func takeFocus() -> Bool { gtk_widget_grab_focus(self()) != 0 }

    /// What a screen reader calls it.
    public func setSpoken(_ text: String) {
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(self(), 1, &property, &value)
        g_value_unset(&value)
    }

    /// The same of a menu button that shows no words: what is pressed is the button in it.
    public func setSpokenInside(_ text: String) {
        setSpoken(text)
        Ref(orNil: gtk_widget_get_first_child(self()))?.setSpoken(text)
    }

    /// The widgets in it, first to last.
    public var children: [Ref] {
        Array(
            sequence(first: Ref(orNil: gtk_widget_get_first_child(self()))) {
                $0.flatMap { Ref(orNil: gtk_widget_get_next_sibling($0())) }
            }.prefix { $0 != nil }.compactMap(\.self))
    }

    public var parent: Ref? { Ref(orNil: gtk_widget_get_parent(self())) }

    /// Of an object's property that holds a text.
    public func setProperty(_ name: String, _ text: String) {
        var value = GValue()
        g_value_init(&value, GType(16 << 2))
        g_value_set_string(&value, text)
        g_object_set_property(self(), name, &value)
        g_value_unset(&value)
    }
}
