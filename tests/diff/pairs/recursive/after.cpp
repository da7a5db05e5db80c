// Sums a tree, again and again, as the other side does, but a deeper one and more often.
struct Node {
    Node *left = nullptr, *right = nullptr;
    int value = 0;
};

__attribute__((noinline)) Node* grow(int depth) {
    if (depth == 0) return nullptr;
    return new Node{grow(depth - 1), grow(depth - 1), depth};
}

__attribute__((noinline)) long visit(const Node* node) {
    if (node == nullptr) return 0;
    return visit(node->left) + visit(node->right) + node->value;
}

int main() {
    const Node* const tree = grow(9);
    long sum = 0;
    for (int i = 0; i < 220; ++i) sum += visit(tree);
    return sum == 0;
}
