import Config
import CutieAPI
import Inbox
import Store

/// The first reply of a person comes with the picture, too, where that is fetched in a moment.
extension Announcer {
    /// Begins to fetch the pictures that the pop-ups of `items` lack.
    func beginPictures(of items: [PopupNews]) -> Avatars.Wait {
        avatars.begin(items.compactMap(pictureAddress))
    }

    func awaits(_ wait: Avatars.Wait, for item: PopupNews) -> Bool {
        !wait.addresses.isEmpty && pictureAddress(of: item).map(wait.addresses.contains) ?? false
    }

    func picture(of item: PopupNews) -> String? { pictureAddress(of: item).flatMap(avatars.path(of:)) }

    /// Only with the full preview: a fetch tells the picture's host that somebody looks.
    private func pictureAddress(of item: PopupNews) -> String? {
        guard let address = item.messages.last?.message.senderAvatarURL,
            policy.preview(at: surroundings.moment) == .full
        else { return nil }
        return address
    }
}
